// Choices that are not checked yet, kept while the tab is open: a reload must not lose them.
import { useDraftPlaces } from '../../../shared/drafts/draft-places.ts'
import type { Import } from '../api.ts'
import { type Draft, draftOf, type Into } from '../map/mapping.ts'

interface ImportDrafts {
  /** What was chosen last, else what is guessed. */
  read(file: Import, into: Into): Draft
  save(id: string, draft: Draft): void
  /** The service has it now. */
  drop(id: string): void
}

export function useImportDrafts(): ImportDrafts {
  const places = useDraftPlaces()
  const placeOf = (id: string) => places(`import ${id}`)
  return {
    // One of an earlier version lacks later choices.
    read: (file, into) => ({
      ...draftOf(file, into),
      ...(placeOf(file.id).read() as Partial<Draft> | undefined),
    }),
    save: (id, draft) => placeOf(id).write(draft),
    drop: (id) => placeOf(id).write({}),
  }
}
