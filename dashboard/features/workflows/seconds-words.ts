import { counted } from '../../../contract/counted.ts'

const UNITS = [
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** `1 day 12 hours` */
export function secondsWords(seconds: number): string {
  const parts: string[] = []
  let rest = Math.max(0, Math.round(seconds))
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(counted(count, unit))
  }
  return parts.slice(0, 2).join(' ') || '0 seconds'
}
