// ⌘Enter, or Ctrl+Enter, saves from any field of a form.
import type { KeyboardEvent } from 'react'

export const isSaveKey = ({ key, metaKey, ctrlKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (metaKey || ctrlKey)

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** How the keyboard at hand writes it. */
export const SAVE_KEYS = isApple ? '⌘↵' : 'Ctrl ↵'
