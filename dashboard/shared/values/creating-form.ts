// The form by which pickers create records. It is loaded when it opens.
import { lazy } from 'react'

export const CreatingForm = lazy(async () => ({
  default: (await import('./create-referenced.tsx')).CreateReferenced,
}))
