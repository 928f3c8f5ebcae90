// The comments of a record, and their changes.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import {
  type Comment,
  commentsKey,
  commentsQuery,
  createComment,
  deleteComment,
  patchComment,
  type RecordPlace,
  readComment,
  restoreComment,
} from '../api.ts'

export function useComments({ object, record }: Omit<RecordPlace, 'org'>) {
  const org = useOrg()
  const client = useQueryClient()
  const place = { org, object, record }
  const query = commentsQuery(place)
  const list = useInfiniteQuery(query)
  const { mutateAsync } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () => client.invalidateQueries({ queryKey: commentsKey(org) }),
  })
  const edit = async ({ id, text }: Comment, next: string) => {
    await mutateAsync(() => patchComment(org, { id, text: next, changeSetId: crypto.randomUUID() }))
    if (next === text) return
    const takeBack = async () => {
      const isEdited = (await readComment(org, id)).text !== next
      if (!isEdited) await patchComment(org, { id, text })
      return isEdited
    }
    const undo = async () =>
      (await mutateAsync(takeBack)) ? 'The comment was edited since, and stays as it is' : undefined
    pushUndo({ label: 'Comment changed', undo })
  }
  const remove = async ({ id }: Comment) => {
    await mutateAsync(() => deleteComment(org, id))
    const undo = () => mutateAsync(() => restoreComment(org, id)).then(() => 'The comment was restored')
    pushUndo({ label: 'The comment was deleted', undo })
  }
  return {
    list,
    comments: list.data?.pages.flatMap((page) => page.comments) ?? [],
    total: list.data?.pages[0]?.pagination.total ?? 0,
    create: (text: string) => mutateAsync(() => createComment(place, text)),
    edit,
    remove,
  }
}

export type Comments = ReturnType<typeof useComments>
