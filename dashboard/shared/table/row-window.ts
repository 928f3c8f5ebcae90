// Computes the visible rows and columns of a large table. All rows have the same height, so nothing is measured.

/**
 * Browsers limit heights to about 17 million pixels. In longer tables, one scrolled pixel passes more than one pixel of
 * rows.
 */
export const CONTENT_MAX = 12_000_000
const OVERSCAN = 8

interface Scroll {
  top: number
  /** The height of the visible part. */
  height: number
  rowHeight: number
  total: number
}

export interface RowWindow {
  first: number
  /** The index after the last row. */
  end: number
  /** The height of the content, for the scroll bar. */
  contentHeight: number
  /** The top of a row in the content, at this scroll position. */
  topOf(row: number): number
  /** The scroll position at which a row is at the top. */
  scrollOf(row: number): number
}

/** @returns the rows to render, some more than are visible */
export function rowWindow({ top, height, rowHeight, total }: Scroll): RowWindow {
  const full = total * rowHeight
  const contentHeight = Math.min(full, CONTENT_MAX)
  const factor = contentHeight > height ? (full - height) / (contentHeight - height) : 1
  const passed = Math.max(0, Math.min(top, contentHeight - height)) * factor
  const first = Math.floor(passed / rowHeight)
  const shift = factor === 1 ? 0 : top - passed
  return {
    first: Math.max(0, first - OVERSCAN),
    end: Math.min(total, first + Math.ceil(height / rowHeight) + 1 + OVERSCAN),
    contentHeight,
    topOf: (row) => row * rowHeight + shift,
    scrollOf: (row) => (row * rowHeight) / factor,
  }
}

/** The scroll position that makes the row fully visible; undefined if it is already. */
export function scrollToRow({ top, height, rowHeight, total }: Scroll, row: number): number | undefined {
  const { topOf, scrollOf } = rowWindow({ top, height, rowHeight, total })
  const start = topOf(row)
  if (start < top) return Math.floor(scrollOf(row))
  if (start + rowHeight <= top + height) return undefined
  return Math.ceil(scrollOf(row + 1 - height / rowHeight))
}

interface Span {
  left: number
  width: number
}

/** The left edge and the width of each column. */
export function spans(widths: readonly number[]): Span[] {
  let left = 0
  return widths.map((width) => {
    const span = { left, width }
    left += width
    return span
  })
}

/** Indexes of the visible columns, with one more on each side, `[first, end)`. */
export function columnWindow(columns: readonly Span[], left: number, width: number): [number, number] {
  const first = columns.findIndex((one) => one.left + one.width > left)
  if (first < 0) return [columns.length, columns.length]
  const after = columns.findIndex((one) => one.left >= left + width)
  return [Math.max(0, first - 1), after < 0 ? columns.length : Math.min(columns.length, after + 1)]
}

/** The pages that contain the rows `[first, end)`. */
export const pagesOf = (first: number, end: number, size: number): number[] =>
  end <= first
    ? []
    : Array.from(
        { length: Math.floor((end - 1) / size) - Math.floor(first / size) + 1 },
        (_, index) => Math.floor(first / size) + index,
      )
