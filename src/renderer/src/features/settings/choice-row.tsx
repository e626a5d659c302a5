import { type ReactNode, useId } from 'react'

interface ChoiceRowProps<T extends string> {
  readonly title: string
  readonly text: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string; readonly testId?: string }[]
  readonly onChange: (value: T) => void
}

/** One setting with a few values: words on the left, a segmented radio group on the right. Applies at once (U-198). */
export function ChoiceRow<T extends string>({ title, text, value, options, onChange }: ChoiceRowProps<T>): ReactNode {
  const id = useId()
  return (
    <fieldset className="m-0 flex flex-wrap items-center gap-x-24 gap-y-8 border-0 border-b border-line p-0 pb-16">
      <legend className="unseen">{title}</legend>
      <div className="min-w-[200px] flex-1">
        <p className="m-0 text-13 font-medium" aria-hidden>
          {title}
        </p>
        <p className="m-0 text-12 text-text-3">{text}</p>
      </div>
      <div className="segments">
        {options.map((option) => (
          <label key={option.value} data-testid={option.testId}>
            <input type="radio" name={id} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
