// Parts of pages that are hidden at first, such as editors and dialogs. Their code is loaded when the page is rendered
// and idle, or when the part is first opened. If the code cannot be loaded, the page stays unchanged.
import { notifications } from '@mantine/notifications'
import { type ComponentType, useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { Opening } from './opening.ts'

type Load = () => Promise<void>

const rest: Load[] = []
let isDrawn = false
let isLoading = false

const IDLE_MS = 4000
/** Calls `act` when the browser is idle. Safari has no requestIdleCallback. */
function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: IDLE_MS })
  else setTimeout(act, IDLE_MS / 4)
}

/** Loads one part at a time, so that the work of the page has priority. */
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

/** Called when the page is rendered. */
export function loadRest(): void {
  isDrawn = true
  loadNext()
}

/** Suggests a reload: browsers remember that a file failed, some of them until the page is reloaded. */
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
  /** Loading failed while the page was waiting for the part. */
  isFailed: boolean
}

/** Loads the part once. After a failure, it is loaded again when it is next needed. */
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

/** A placeholder for parts that take no keys. */
export const Nothing = () => null

function closeLayer(props: object): void {
  if ('onClose' in props && typeof props.onClose === 'function') props.onClose()
}

/**
 * A component that is loaded later.
 * @param Waiting placeholder until it is loaded; by default it keeps the typed keys for the component (typed-ahead.ts)
 * @param giveUp called when loading failed; by default it closes the layer, so that opening the layer tries again
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
    // Unlike with lazy(), a loaded component is rendered immediately, so that the next key reaches its field.
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
