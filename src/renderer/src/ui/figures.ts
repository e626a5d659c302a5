/** Numbers and times as words. What is not known is a dash, never 0 (U-08). */

export const UNKNOWN = '–'

/** 18204 → `18,204`; null → dash. */
export const count = (value: number | null): string => (value === null ? UNKNOWN : value.toLocaleString('en'))

/** 18204 → `18.2k`; null → dash. */
export function shortCount(value: number | null): string {
  if (value === null) return UNKNOWN
  if (value < 1_000) return String(value)
  if (value < 999_500) return `${trim(value / 1_000)}k`
  return `${trim(value / 1_000_000)}M`
}
const trim = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, ''))

/** Micro-USD as money; null (unknown) → dash. */
export function cost(micros: number | null): string {
  if (micros === null) return UNKNOWN
  const dollars = micros / 1_000_000
  if (dollars === 0) return '$0.00'
  return dollars < 0.01 ? '< $0.01' : `$${dollars.toFixed(2)}`
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `now`, `4 min`, `2 h`, `Fri`, `12 Mar`, `12 Mar 2024`, as a list shows it. Times in ms since the epoch. */
export function relativeTime(at: number, now: number): string {
  const age = now - at
  if (age < MINUTE) return 'now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min`
  if (age < DAY) return `${Math.floor(age / HOUR)} h`
  const date = new Date(at)
  if (age < 6 * DAY) return date.toLocaleDateString('en', { weekday: 'short' })
  const sameYear = date.getFullYear() === new Date(now).getFullYear()
  return date.toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? {} : { year: 'numeric' }),
  })
}

/** The whole time, for focus and hover (U-225). */
export const absoluteTime = (at: number): string =>
  new Date(at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
