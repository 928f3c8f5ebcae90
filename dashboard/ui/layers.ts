// Dialogs, panels and boxes lie over each other: Escape closes the topmost of them, and no other.
import { useEffect, useEffectEvent } from 'react'

type Close = () => void

/** From the lowest to the topmost. */
const layers: Close[] = []

// A list of choices or a menu that the key closes says so: by the event, or as the library does by its element.
const isTaken = ({ target, defaultPrevented }: KeyboardEvent) =>
  defaultPrevented ||
  (target instanceof Element && target.getAttribute('data-mantine-stop-propagation') === 'true')

function onKeyDown(event: KeyboardEvent): void {
  const close = layers.at(-1)
  if (event.key !== 'Escape' || event.isComposing || !close || isTaken(event)) return
  // Shortcuts of the page below are not meant.
  event.stopPropagation()
  close()
}

/** Once, when the page begins: after the handlers of what is inside of a layer, before the shortcuts of the page. */
export function watchLayers(): void {
  document.body.addEventListener('keydown', onKeyDown)
}

/** While it is open, what calls this is above all that was open before. */
export function useLayer(close: Close, isOpen = true): void {
  const onEscape = useEffectEvent(close)
  useEffect(() => {
    if (!isOpen) return undefined
    const layer = () => onEscape()
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
  }, [isOpen])
}
