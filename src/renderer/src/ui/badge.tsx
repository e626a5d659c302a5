import type { ComponentProps, ReactNode } from 'react'

interface BadgeProps extends ComponentProps<'span'> {
  readonly tone?: 'plain' | 'warning' | 'danger' | 'success' | 'accent'
}

/** A small fact beside a heading. The tone colours the text only (U-243). */
export function Badge({ tone = 'plain', className, ...rest }: BadgeProps): ReactNode {
  return <span className={`badge ${className ?? ''}`} data-tone={tone} {...rest} />
}
