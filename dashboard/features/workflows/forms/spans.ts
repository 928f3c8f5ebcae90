// Durations in a readable unit: 7200 seconds are 2 hours.

export const UNITS = ['seconds', 'minutes', 'hours', 'days'] as const
export type Unit = (typeof UNITS)[number]
const SECONDS: Readonly<Record<Unit, number>> = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 }

export interface Span {
  amount: number
  unit: Unit
}

/** The duration in the largest unit that divides it. */
export function spanOf(seconds: number): Span {
  const unit = UNITS.toReversed().find((one) => seconds > 0 && seconds % SECONDS[one] === 0) ?? 'minutes'
  return { amount: seconds / SECONDS[unit], unit }
}

export const secondsOf = ({ amount, unit }: Span): number => Math.round(amount * SECONDS[unit])
