// The comments in the trash that the user may restore.
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import type { TrashedComment } from '../../../contract/comment-trash.ts'
import { withNames } from '../../../contract/mentions.ts'
import { beginningOf } from '../../shared/beginning.ts'
import { DeletedList } from '../../shared/deleted-list.tsx'
import { useOrg } from '../../shared/use-organization.ts'
import { commentsKey, purgeComment, restoreComment, trashedCommentsQuery } from './api.ts'

/** The author, and the beginning of the text. */
function nameOf({ createdBy, text, mentions }: TrashedComment): string {
  const names = new Map(mentions.map(({ id, name, email }) => [id, name || email]))
  const written = withNames(text, (id) => names.get(id) ?? 'Former member')
  return `${createdBy.name || createdBy.email}: ${beginningOf(written)}`
}

export function DeletedComments() {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = () => client.invalidateQueries({ queryKey: commentsKey(org) })
  const kind = {
    noun: 'comment',
    empty: <p className="muted">No deleted comments</p>,
    returns: () => 'It returns to its record, unless that is deleted. No one is notified.',
    restore: (id: string) =>
      restoreComment(org, id)
        .then(() => 'The comment was restored')
        .finally(refresh),
    purge: (id: string) => purgeComment(org, id).finally(refresh),
  }
  return (
    <DeletedList
      kind={kind}
      query={useInfiniteQuery(trashedCommentsQuery(org))}
      itemsOf={({ comments }) => comments.map((comment) => ({ ...comment, name: nameOf(comment) }))}
    />
  )
}
