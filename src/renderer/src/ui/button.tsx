/** Buttons with a verb, and icon buttons that always have a name (U-244, U-247). */
import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { Tip } from './tooltip.tsx'

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'plain' | 'primary' | 'quiet' | 'danger'
  readonly size?: 'small' | 'regular' | 'large'
}

/** A button, 28 px by default (24 small, 32 large). Never submits a form unless `type="submit"` is given. */
export function Button({
  look = 'plain',
  size = 'regular',
  className,
  type = 'button',
  ...rest
}: ButtonProps): ReactNode {
  return <button type={type} className={`btn ${className ?? ''}`} data-look={look} data-size={size} {...rest} />
}

interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children' | 'aria-label'> {
  readonly icon: LucideIcon
  /** The name: heard by a screen reader, shown in the tooltip. */
  readonly label: string
  /** The shortcut as shown in the tooltip. */
  readonly keys?: string | undefined
  readonly size?: 'small' | 'regular'
}

/** A 24 px (28 px regular) button with one 16 px outline icon. */
export function IconButton({
  icon: Icon,
  label,
  keys,
  size = 'small',
  className,
  ...rest
}: IconButtonProps): ReactNode {
  return (
    <Tip label={label} keys={keys}>
      <button type="button" className={`icon-btn ${className ?? ''}`} data-size={size} aria-label={label} {...rest}>
        <Icon size={16} strokeWidth={1.75} aria-hidden />
      </button>
    </Tip>
  )
}
