/** A one-line field. Enter goes through the one IME-safe function (U-45). */
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, useId } from 'react'
import { useEnter } from './enter.ts'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'size' | 'onKeyDown' | 'onSubmit'> {
  /** The visible label; with `hideLabel` it is heard only. */
  readonly label: string
  readonly hideLabel?: boolean
  readonly icon?: LucideIcon
  readonly look?: 'plain' | 'quiet'
  readonly height?: 'regular' | 'large'
  /** Why the value is not accepted, below the field and tied to it. */
  readonly problem?: string | null
  readonly hint?: string
  /** Something at the end inside the field: a toggle, a clear button. */
  readonly trailing?: ReactNode
  /** Enter, outside of a composition. */
  readonly onEnter?: () => void
  /** Escape, outside of a composition; stops there when given (U-32). */
  readonly onEscape?: () => void
}

/** Label, field, then hint or problem. */
export function TextField(props: TextFieldProps): ReactNode {
  const { label, hideLabel, icon: Icon, look = 'plain', height = 'regular', problem, hint, trailing } = props
  const { onEnter, onEscape, className, hideLabel: _h, icon: _i, look: _l, height: _s, ...rest } = props
  const { label: _n, problem: _p, hint: _t, trailing: _r, ...input } = rest
  const id = useId()
  const below = problem ?? hint
  const keys = useEnter<HTMLInputElement>({ ...(onEnter && { onEnter }), ...(onEscape && { onEscape }) })
  return (
    <div className={`flex min-w-0 flex-col gap-4 ${className ?? ''}`}>
      <label htmlFor={id} className={hideLabel ? 'unseen' : 'text-12 font-medium text-text-2'}>
        {label}
      </label>
      <div className="field" data-look={look} data-size={height} data-invalid={problem != null}>
        {Icon === undefined ? null : <Icon size={16} strokeWidth={1.75} aria-hidden />}
        <input
          id={id}
          type="text"
          autoComplete="off"
          {...input}
          {...keys}
          {...(below == null ? {} : { 'aria-describedby': `${id}-below` })}
          {...(problem == null ? {} : { 'aria-invalid': true })}
        />
        {trailing}
      </div>
      {below == null ? null : (
        <p id={`${id}-below`} className={`m-0 text-12 ${problem == null ? 'text-text-3' : 'text-danger'}`}>
          {below}
        </p>
      )}
    </div>
  )
}
