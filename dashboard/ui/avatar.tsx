// A face or a logo; where there is none, or it cannot be drawn, the first letters of the name in a color that stays the
// same for the same name.
import { useState } from 'react'
import classes from './avatar.module.css'
import { tintOf, tintStyle } from './chip.tsx'
import { lazy } from './lazy.ts'

const segmenter = lazy(() => new Intl.Segmenter())
const firstOf = (word: string) => segmenter().segment(word)[Symbol.iterator]().next().value?.segment ?? ''

/** One letter where there is room for one only, else those of the first and the last word. */
export function initialsOf(name: string, isSmall: boolean): string {
  const words = name.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const chosen = isSmall || words.length < 2 ? words.slice(0, 1) : [words[0], words.at(-1)]
  return chosen.map((word) => firstOf(word ?? '').toUpperCase()).join('')
}

interface AvatarProps {
  name: string
  /** Address of the picture. */
  src: string | null | undefined
  /** In pixels. */
  size: 16 | 20 | 24 | 48 | 64
  /** People are round, everything else has corners. */
  isRound?: boolean
}

const FONTS = { 16: 'badge', 20: 'mini', 24: 'tiny', 48: 'lead', 64: 'title' } as const

/** Shown next to the name and adds nothing to it, so nothing is read out. */
export function Avatar({ name, src, size, isRound = false }: AvatarProps) {
  const [broken, setBroken] = useState<string>()
  const isDrawn = typeof src === 'string' && src !== broken
  const isLogo = isDrawn && !isRound
  const box = {
    height: size,
    fontSize: `var(--font-${FONTS[size]})`,
    borderRadius: isRound ? '50%' : Math.max(4, size / 6),
    ...(!isDrawn && { ...tintStyle(tintOf(name)), borderColor: 'transparent' }),
  }
  return (
    <span
      className={classes.avatar}
      data-logo={isLogo || undefined}
      style={{ ...box, width: isLogo && size >= 48 ? 'auto' : size }}
      data-initials={isDrawn ? undefined : initialsOf(name, size < 48)}
      aria-hidden
    >
      {isDrawn && (
        <img
          src={src}
          alt=""
          decoding="async"
          style={isLogo && size >= 48 ? { maxWidth: 3 * size } : undefined}
          onError={() => setBroken(src)}
        />
      )}
    </span>
  )
}
