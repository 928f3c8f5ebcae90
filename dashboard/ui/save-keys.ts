// ⌘Enter, or Ctrl+Enter, saves from any field of a form (form-keys.ts).

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** How the keyboard at hand writes it. */
export const SAVE_KEYS = isApple ? '⌘↵' : 'Ctrl ↵'
