// The search parameters of the page for a new report.

export interface BuilderSearch {
  /** Key of the report template. */
  ready?: string
  /** Slug of the source object. */
  object?: string
}

export const validBuilderSearch = ({ ready, object }: Record<string, unknown>): BuilderSearch => ({
  ...(typeof ready === 'string' && { ready }),
  ...(typeof object === 'string' && { object }),
})
