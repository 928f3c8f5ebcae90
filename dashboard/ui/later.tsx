// Parts of pages that nothing shows at first, such as editors and dialogs: their code is loaded when the page is drawn
// and idle, or as soon as one is opened.
import { type ComponentType, useSyncExternalStore } from 'react'
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

/** Loads once; after a failure, when it is asked for again. */
function loaderOf<Part>(load: () => Promise<Part>) {
  let part: Part | undefined
  let failure: { error: unknown } | undefined
  let loading: Promise<void> | undefined
  const listeners = new Set<() => void>()
  const settle = () => {
    loading = undefined
    for (const hear of listeners) hear()
  }
  const fail = (error: unknown) => {
    // What nothing waits for is loaded again when it is opened.
    if (listeners.size > 0) failure = { error }
  }
  const start: Load = () => {
    if (part === undefined)
      loading ??= load()
        .then((loaded) => {
          part = loaded
        }, fail)
        .then(settle)
    return loading ?? Promise.resolve()
  }
  const subscribe = (hear: () => void) => {
    listeners.add(hear)
    void start()
    return () => {
      listeners.delete(hear)
      if (listeners.size === 0) failure = undefined
    }
  }
  return { start, subscribe, part: () => part, failure: () => failure }
}

/** In place of what takes no keys. */
export const Nothing = () => null

/**
 * A component that is loaded later.
 * @param Waiting stands in its place; by default it keeps what is typed for it (typed-ahead.ts)
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Waiting: ComponentType = Opening,
) {
  const loader = loaderOf(load)
  rest.push(loader.start)
  loadNext()
  return function Later(props: Props) {
    // Unlike lazy(), what is loaded already is drawn in the same moment: the next key finds its field.
    const Part = useSyncExternalStore(loader.subscribe, loader.part)
    const failure = useSyncExternalStore(loader.subscribe, loader.failure)
    if (failure) throw failure.error
    return Part ? <Part {...props} /> : <Waiting />
  }
}
