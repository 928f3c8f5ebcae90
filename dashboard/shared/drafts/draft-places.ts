// Where drafts of this user and organization are kept.
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { draftKey, readDraft, writeDraft } from './draft-store.ts'

export interface DraftPlace {
  read(): object | undefined
  /** In place of what was kept there; nothing is kept of an object without fields. */
  write(fields: object): void
}

/**
 * By name: `create <object id>`, for example. In the webhook portal, which has no user, the name itself has to contain
 * the organization.
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
