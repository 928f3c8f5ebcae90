// A state: its word, its icon, and a color that only says it once more.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip } from './chip.tsx'

/** Places among the tints of chips. */
const TINTS = { good: 3, warning: 2, danger: 4, info: 0, muted: 8 } as const
export type Tone = keyof typeof TINTS

interface ToneChipProps {
  tone: Tone
  icon: LucideIcon
  children: ReactNode
}

export function ToneChip({ tone, icon: Icon, children }: ToneChipProps) {
  return (
    <Chip index={TINTS[tone]}>
      <span className="inline gap-4">
        <Icon size={12} aria-hidden />
        {children}
      </span>
    </Chip>
  )
}
