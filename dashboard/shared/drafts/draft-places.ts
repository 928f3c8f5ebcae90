// Places for drafts of the current user and organization.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { draftKey, readDraft, writeDraft } from './draft-store.ts'

export interface DraftPlace {
  read(): object | undefined
  /** Replaces the draft. An object without fields deletes it. */
  write(fields: object): void
}

/**
 * Returns the place with a name, such as `create <object id>`. The webhook portal has no user, so its names must
 * contain the organization.
 */
export function useDraftPlaces(): (name: string) => DraftPlace {
  const { org } = useParams({ strict: false })
  const { data: session } = useQuery({ ...sessionQuery(), enabled: org !== undefined })
  const organization = session?.organizations.find(({ slug }) => slug === org)
  return (name) => {
    const key = draftKey(session?.user.id ?? '', organization?.id ?? '', name)
    return { read: () => readDraft(key), write: (fields) => writeDraft(key, fields) }
  }
}
