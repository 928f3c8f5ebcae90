// ⌘Enter, or Ctrl+Enter, saves from any field of a form (form-keys.ts).

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The keys as this keyboard shows them. */
export const SAVE_KEYS = isApple ? '⌘↵' : 'Ctrl ↵'
