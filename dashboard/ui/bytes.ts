// Formats file sizes for people.
import { numberFormat } from '../../contract/language.ts'

const KIB = 1024
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatBytes(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(KIB)))
  const unit = UNITS[power]
  const format = numberFormat({
    style: 'unit',
    unit,
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power < 2 ? 0 : 1,
  })
  return format.format(bytes / KIB ** power)
}
