// What an address says about a new report.

export interface BuilderSearch {
  /** Key of the report template. */
  ready?: string
  /** Slug of the object it is about. */
  object?: string
}

export const validBuilderSearch = ({ ready, object }: Record<string, unknown>): BuilderSearch => ({
  ...(typeof ready === 'string' && { ready }),
  ...(typeof object === 'string' && { object }),
})
