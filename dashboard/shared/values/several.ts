// Helpers for attributes with several values.

export const elements = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
export const texts = (value: unknown): string[] => elements(value).map(String)
/** An empty list means no value. */
export const orNull = (values: unknown[]): unknown[] | null => (values.length > 0 ? values : null)
