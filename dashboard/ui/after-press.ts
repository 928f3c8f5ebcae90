// A field that loses the focus to a click acts after the click. If anything moved between the press and the release of
// the mouse, the click would hit another element, or none.

let isPressed = false

/** Called once, when the page starts. */
export function watchPress(): void {
  const press = (pressed: boolean) => () => {
    isPressed = pressed
  }
  window.addEventListener('mousedown', press(true), true)
  for (const end of ['mouseup', 'dragend']) window.addEventListener(end, press(false), true)
}

/** Acts immediately, or after the current click. */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act()
    return
  }
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    // The browser sends the click event directly after mouseup.
    setTimeout(act)
  }
  for (const event of ['mouseup', 'dragend']) window.addEventListener(event, end, { signal: ended.signal })
}
