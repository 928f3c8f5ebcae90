// A label with a soft tint. An option has its configured color. Any other text always gets the same one of ten
// colors.
import type { ReactNode } from 'react'
import classes from './chip.module.css'

const TINTS = 10

const tintAt = (index: number): number => ((index % TINTS) + TINTS) % TINTS

/** The strong color of a chip's tint, for bars and lines. @param index any whole number */
export const fillOf = (index: number): string => `var(--fill-${tintAt(index)})`

/** @param index any whole number */
export function tintStyle(index: number): { color: string; background: string } {
  const tint = `--tint-${tintAt(index)}`
  return { color: `var(${tint})`, background: `var(${tint}-surface)` }
}

/** @param index of the tint, any whole number */
export function Chip({ index, children }: { index: number; children: ReactNode }) {
  return (
    <span className={classes.chip} style={tintStyle(index)}>
      {children}
    </span>
  )
}

/** For texts that are not options: the same text always gets the same color. */
export const tintOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7)
