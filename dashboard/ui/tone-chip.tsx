// A state with a word and an icon. The color only repeats the meaning.
import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Chip } from './chip.tsx'

/** Indexes of chip tints. */
const TINTS = { good: 3, warning: 2, danger: 4, info: 0, muted: 8 } as const
export type Tone = keyof typeof TINTS

/** How a state is shown. */
export interface StateWords {
  word: string
  tone: Tone
  icon: LucideIcon
}

export function ToneChip({ word, tone, icon: Icon }: Omit<StateWords, 'word'> & { word: ReactNode }) {
  return (
    <Chip index={TINTS[tone]}>
      <span className="inline gap-4">
        <Icon size={12} aria-hidden />
        {word}
      </span>
    </Chip>
  )
}
