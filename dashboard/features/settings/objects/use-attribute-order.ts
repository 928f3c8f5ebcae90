// The order of an object's attributes: shown immediately, then saved, and reverted with a message when refused.
import { useQueryClient } from '@tanstack/react-query'
import type { Attribute } from '../../../shared/api/objects.ts'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { moved, movedBack } from '../../../ui/moved.ts'
import { attributesQuery, orderAttributes } from '../api/attributes.ts'
import { useRefreshObjects } from './use-object-change.ts'

const idsOf = (attributes: readonly Attribute[]) => attributes.map(({ id }) => id)

/** @returns moves the attribute at place `from` to place `to`, and saves the order */
export function useAttributeOrder(object: string, attributes: readonly Attribute[]) {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  const query = attributesQuery(org, object)
  const moveBack = async (name: string, move: Parameters<typeof movedBack>[1]) => {
    const back = movedBack(idsOf(await client.fetchQuery({ ...query, staleTime: 0 })), move)
    if (!back) return `The order was changed since: ${name} stays at its place`
    await orderAttributes(org, object, back).finally(refresh)
    return undefined
  }
  const save = async (from: number, next: readonly Attribute[], to: number) => {
    const { id = '', name = '' } = next[to] ?? {}
    await orderAttributes(org, object, idsOf(next))
    const move = { item: id, from: attributes[from - 1]?.id, to: next[to - 1]?.id }
    pushUndo({ label: `${name} moved`, isQuiet: true, undo: () => moveBack(name, move) })
  }
  return (from: number, to: number) => {
    const next = moved(attributes, from, to)
    client.setQueryData(query.queryKey, next)
    void save(from, next, to).catch(toastError).then(refresh)
  }
}
