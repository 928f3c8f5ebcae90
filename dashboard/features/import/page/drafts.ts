// Choices that are not sent yet, kept while the tab is open, so that a reload does not lose them.
import { useDraftPlaces } from '../../../shared/drafts/draft-places.ts'
import type { Import } from '../api.ts'
import { type Draft, draftOf, type Into } from '../map/mapping.ts'

interface ImportDrafts {
  /** The last choices, else the guess. */
  read(file: Import, into: Into): Draft
  save(id: string, draft: Draft): void
  /** Called when the service has stored the choices. */
  drop(id: string): void
}

export function useImportDrafts(): ImportDrafts {
  const places = useDraftPlaces()
  const placeOf = (id: string) => places(`import ${id}`)
  return {
    // A draft of an earlier version of the dashboard may lack newer choices.
    read: (file, into) => ({
      ...draftOf(file, into),
      ...(placeOf(file.id).read() as Partial<Draft> | undefined),
    }),
    save: (id, draft) => placeOf(id).write(draft),
    drop: (id) => placeOf(id).write({}),
  }
}
