// ⌘Enter, or Ctrl+Enter, saves from any field of a form.
import type { KeyboardEvent } from 'react'

export const isSaveKey = ({ key, metaKey, ctrlKey }: KeyboardEvent): boolean =>
  key === 'Enter' && (metaKey || ctrlKey)
