// A soft tinted label; the same text has the same of ten colors everywhere, or the one its place among options gives.
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

/** @param index an option's place among its options */
export function Chip({ index, children }: { index: number; children: ReactNode }) {
  return (
    <span className={classes.chip} style={tintStyle(index)}>
      {children}
    </span>
  )
}

/** For texts that are no options: a color that stays the same for the same text. */
export const tintOf = (text: string): number =>
  [...text].reduce((sum, character) => (sum * 31 + (character.codePointAt(0) ?? 0)) % 997, 7)
