/**
 * Props of a button that may not be pressed now. It is not disabled, so that it keeps the focus and can show the
 * reason.
 * @param reason why it may not be pressed; true: without a reason; undefined or false: it may be pressed
 */
export function held(reason: string | boolean | undefined, onClick: () => void) {
  const isHeld = (reason !== undefined && reason !== false) || undefined
  return {
    'data-disabled': isHeld,
    'aria-disabled': isHeld,
    'aria-description': typeof reason === 'string' ? reason : undefined,
    onClick: () => {
      if (!isHeld) onClick()
    },
  }
}
