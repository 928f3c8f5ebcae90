// The next piece is made while the one before is worked on.

/** Items in their order; the one after the item that is given out is asked for already. */
export async function* readAhead<Item>(items: AsyncGenerator<Item>): AsyncGenerator<Item> {
  const ask = () => {
    const next = items.next()
    // What goes wrong is thrown in its turn.
    next.catch(() => undefined)
    return next
  }
  let next = ask()
  try {
    for (;;) {
      const item = await next
      if (item.done) return
      next = ask()
      yield item.value
    }
  } finally {
    await items.return(undefined)
  }
}
