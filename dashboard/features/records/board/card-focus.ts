// Arrow keys move the focus between cards: up and down in a column, left and right to the next column with cards.
const CARD = 'a[data-card]'
const COLUMN = '[data-column]'

const cardsOf = (column: Element | undefined): HTMLElement[] => [
  ...(column?.querySelectorAll<HTMLElement>(CARD) ?? []),
]

/** The card of the column with the nearest vertical position. */
function besides(from: HTMLElement, column: Element): HTMLElement | undefined {
  const { top } = from.getBoundingClientRect()
  const distance = (card: Element) => Math.abs(card.getBoundingClientRect().top - top)
  return cardsOf(column).toSorted((a, b) => distance(a) - distance(b))[0]
}

function target(card: HTMLElement, key: string): HTMLElement | undefined {
  const own = card.closest(COLUMN)
  if (!own) return undefined
  const cards = cardsOf(own)
  const place = cards.indexOf(card)
  if (key === 'ArrowDown') return cards[place + 1]
  if (key === 'ArrowUp') return cards[place - 1]
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined
  const columns = [...(own.parentElement?.querySelectorAll(COLUMN) ?? [])].filter(
    (column) => column === own || cardsOf(column).length > 0,
  )
  const next = columns[columns.indexOf(own) + (key === 'ArrowRight' ? 1 : -1)]
  return next && besides(card, next)
}

/** @returns whether there was a card in that direction */
export function focusNeighbour(card: HTMLElement, key: string): boolean {
  const next = target(card, key)
  next?.focus()
  next?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  return next !== undefined
}
