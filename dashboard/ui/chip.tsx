// A soft tinted label; the same text has the same of ten colors everywhere, or the one its place among options gives.
import type { ReactNode } from 'react'
import classes from './chip.module.css'

const TINTS = 10

/** @param index an option's place among its options */
export function Chip({ index, children }: { index: number; children: ReactNode }) {
  const tint = `--tint-${((index % TINTS) + TINTS) % TINTS}`
  return (
    <span className={classes.chip} style={{ color: `var(${tint})`, background: `var(${tint}-surface)` }}>
      {children}
    </span>
  )
}

/** For texts that are no options: a color that stays the same for the same text. */
export const tintOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7)
