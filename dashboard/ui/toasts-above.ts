// Shows toasts above a bar at the bottom of the page, so that they do not cover its buttons.

const VARIABLE = '--toasts-above'

/** A ref for the bar. Toasts are above the bar while it is mounted. */
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
