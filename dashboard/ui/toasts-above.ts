// Toasts are shown above a bar at the bottom of the page, and cover none of its buttons.

const VARIABLE = '--toasts-above'

/** A ref for the bar: while it is mounted, toasts are above it. */
export function toastsAbove(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined
  const { style } = document.documentElement
  const place = () => style.setProperty(VARIABLE, `${window.innerHeight - bar.getBoundingClientRect().top}px`)
  const observer = new ResizeObserver(place)
  observer.observe(bar)
  observer.observe(document.documentElement)
  return () => {
    observer.disconnect()
    style.removeProperty(VARIABLE)
  }
}
