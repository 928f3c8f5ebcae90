// Parts of pages that nothing shows at first, such as editors and dialogs: their code is loaded when the page is drawn
// and idle, or as soon as one is opened. One that cannot be loaded leaves the page as it is.
import { notifications } from '@mantine/notifications'
import { type ComponentType, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { Opening } from './opening.ts'

type Load = () => Promise<void>

const rest: Load[] = []
let isDrawn = false
let isLoading = false

const IDLE_MS = 4000
/** Safari has no requestIdleCallback. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: IDLE_MS })
  else setTimeout(act, IDLE_MS / 4)
}

/** One after the other: what the page does meanwhile comes first. */
function loadNext(): void {
  const load = isDrawn && !isLoading ? rest.shift() : undefined
  if (!load) return
  isLoading = true
  whenIdle(() => {
    void load().then(() => {
      isLoading = false
      loadNext()
    })
  })
}

/** Once the page is drawn. */
export function loadRest(): void {
  isDrawn = true
  loadNext()
}

/** Browsers remember that a file failed, some of them until the page is reloaded. */
const sayFailed = () =>
  notifications.show({
    id: 'not-loaded',
    message: 'A part of this page could not be loaded. Check your connection, then reload the page.',
    color: 'red',
    autoClose: 8000,
    role: 'alert',
  })

interface State<Part> {
  part?: Part
  /** What is on the page waits for it in vain. */
  isFailed: boolean
}

/** Loads once; after a failure, when it is asked for again. */
function loaderOf<Part>(load: () => Promise<Part>) {
  let state: State<Part> = { isFailed: false }
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const settle = (next: State<Part>) => {
    loading = undefined
    state = next
    for (const hear of listeners) hear()
  }
  const start: Load = () => {
    if (state.part === undefined)
      loading ??= load().then(
        (part) => settle({ part, isFailed: false }),
        () => settle({ isFailed: listeners.size > 0 }),
      )
    return loading ?? Promise.resolve()
  }
  const subscribe = (hear: () => void) => {
    listeners.add(hear)
    void start()
    return () => {
      listeners.delete(hear)
      if (listeners.size === 0 && state.isFailed) state = { isFailed: false }
    }
  }
  return { start, subscribe, state: () => state }
}

/** In place of what takes no keys. */
export const Nothing = () => null

function closeLayer(props: object): void {
  if ('onClose' in props && typeof props.onClose === 'function') props.onClose()
}

/**
 * A component that is loaded later.
 * @param Waiting shown in its place meanwhile; by default it keeps what is typed for it (typed-ahead.ts)
 * @param giveUp when it could not be loaded: what is closed then asks for it again when it is opened
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = Opening,
  giveUp: (props: Props) => void = closeLayer,
) {
  const loader = loaderOf(load)
  rest.push(loader.start)
  loadNext()
  return function Later(props: Props) {
    // Unlike lazy(), what is loaded already is drawn in the same moment: the next key finds its field.
    const { part: Part, isFailed } = useSyncExternalStore(loader.subscribe, loader.state)
    const onFailed = useEffectEvent(() => {
      sayFailed()
      giveUp(props)
    })
    useEffect(() => {
      if (isFailed) onFailed()
    }, [isFailed])
    if (Part) return <Part {...props} />
    return isFailed ? null : <Waiting />
  }
}
