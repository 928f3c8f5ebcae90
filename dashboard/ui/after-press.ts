// What a field does when it is left by a click waits for the click: were anything to move between the press and the
// release of the mouse, the click would meet something else, or nothing.

let isPressed = false

/** Once, when the page begins. */
export function watchPress(): void {
  const press = (pressed: boolean) => () => {
    isPressed = pressed
  }
  window.addEventListener('mousedown', press(true), true)
  for (const end of ['mouseup', 'dragend']) window.addEventListener(end, press(false), true)
}

/** Acts immediately, or after the click that is under way. */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act()
    return
  }
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    // The click immediately follows the release.
    setTimeout(act)
  }
  for (const event of ['mouseup', 'dragend']) window.addEventListener(event, end, { signal: ended.signal })
}
