const ignore = () => undefined

/**
 * Lets calls share reads: one read runs at a time, and each call gets the result of a read that began after the call.
 * @returns the shared form of `read`
 */
export function shareReads<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let current: Promise<Result> | undefined
  let next: Promise<Result> | undefined
  const start = (): Promise<Result> => {
    const one = read().finally(() => {
      if (current === one) current = undefined
    })
    current = one
    return one
  }
  return () => {
    if (current === undefined) return start()
    next ??= current.then(ignore, ignore).then(() => {
      next = undefined
      return start()
    })
    return next
  }
}
