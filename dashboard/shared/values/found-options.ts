// Options that the service has found, for pickers of records.

export interface Option {
  value: string
  label: string
}

/** What the service found. */
export interface Found {
  options: readonly Option[]
  /** They were found for the text as it is now. */
  isFresh: boolean
}

/** Pause in typing, in ms, after which it is looked for. */
export const TYPING_MS = 150

/** The service has matched already: what it found is shown as it is. */
export const asFound = ({ options }: { options: readonly unknown[] }) => options as never
