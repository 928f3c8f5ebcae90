// Dialogs, panels and popovers form a stack of layers: Escape closes only the topmost one.
import { useEffect, useEffectEvent } from 'react'

type Close = () => void

/** From the lowest to the topmost layer. */
const layers: Close[] = []

// A list or menu that Escape closes marks the event: by preventDefault, or by the library's attribute on its element.
const isTaken = ({ target, defaultPrevented }: KeyboardEvent) =>
  defaultPrevented ||
  (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true')

function onKeyDown(event: KeyboardEvent): void {
  const close = layers.at(-1)
  if (event.key !== 'Escape' || event.isComposing || !close || isTaken(event)) return
  // The shortcuts of the page below must not receive the key.
  event.stopPropagation()
  close()
}

/** Called once, when the page starts: after the handlers inside of layers, before the shortcuts of the page. */
export function watchLayers(): void {
  document.body.addEventListener('keydown', onKeyDown)
}

/** While the calling component is open, it is the topmost layer. */
export function useLayer(close: Close, isOpen = true): void {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return undefined
    const layer = () => onEscape()
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [isOpen])
}
