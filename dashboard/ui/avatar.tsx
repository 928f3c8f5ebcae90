// A picture of a person or a logo. Without a picture, or if it cannot be loaded, the initials of the name are shown.
// The color depends only on the name.
import { useState } from 'react'
import classes from './avatar.module.css'
import { tintOf, tintStyle } from './chip.tsx'
import { lazy } from './lazy.ts'

const segmenter = lazy(() => new Intl.Segmenter())
const firstOf = (word: string) => segmenter().segment(word)[Symbol.iterator]().next().value?.segment ?? ''

/** Small avatars have room for the first letter only. Others have the first letters of the first and the last word. */
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
  /** Pictures of people are round, all others have corners. */
  isRound?: boolean
}

const FONTS = { 16: 'badge', 20: 'mini', 24: 'tiny', 48: 'lead', 64: 'title' } as const

/** The name is next to the avatar, so screen readers skip the avatar. */
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
