// The comments of a record, and their changes.
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useOrg } from '../../../shared/use-organization.ts'
import { commentsQuery, createComment, deleteComment, patchComment, type RecordPlace } from '../api.ts'

export function useComments({ object, record }: Omit<RecordPlace, 'org'>) {
  const org = useOrg()
  const client = useQueryClient()
  const place = { org, object, record }
  const query = commentsQuery(place)
  const list = useInfiniteQuery(query)
  const { mutateAsync } = useMutation({
    mutationFn: (change: () => Promise<unknown>) => change(),
    onSettled: () => client.invalidateQueries({ queryKey: query.queryKey }),
  })
  return {
    list,
    comments: list.data?.pages.flatMap((page) => page.comments) ?? [],
    total: list.data?.pages[0]?.pagination.total ?? 0,
    create: (text: string) => mutateAsync(() => createComment(place, text)),
    edit: (id: string, text: string) => mutateAsync(() => patchComment(org, id, text)),
    remove: (id: string) => mutateAsync(() => deleteComment(org, id)),
  }
}

export type Comments = ReturnType<typeof useComments>
