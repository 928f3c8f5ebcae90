// The order of an object's attributes: shown immediately, then saved, and reverted with a message when refused.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { toastError } from '../../../shared/toast.ts'
import { pushUndo } from '../../../shared/undo/undo-stack.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { attributesQuery, orderAttributes } from '../api/attributes.ts'
import { moved, movedBack } from './option-list.ts'
import { useRefreshObjects } from './use-object-change.ts'

interface AttributeOrder {
  /** Text for screen readers. */
  announcement: string
  /** Moves the attribute to place `to`, and saves the order. */
  place(attribute: Attribute, to: number): void
}

export function useAttributeOrder(object: string, attributes: readonly Attribute[]): AttributeOrder {
  const org = useOrg()
  const client = useQueryClient()
  const refresh = useRefreshObjects()
  const [announcement, setAnnouncement] = useState('')
  const putBack = async (name: string, move: Parameters<typeof movedBack>[1]) => {
    const now = await client.fetchQuery({ ...attributesQuery(org, object), staleTime: 0 })
    const back = movedBack(
      now.map(({ id }) => id),
      move,
    )
    if (!back) return `The order was changed since: ${name} stays at its place`
    await orderAttributes(org, object, back).finally(refresh)
    return undefined
  }
  const place = (attribute: Attribute, to: number) => {
    const from = attributes.findIndex(({ id }) => id === attribute.id)
    const next = moved(attributes, from, to)
    if (next[from]?.id === attribute.id) return
    client.setQueryData(attributesQuery(org, object).queryKey, next)
    setAnnouncement(`${attribute.name} is now at place ${to + 1} of ${next.length}`)
    const ids = next.map(({ id }) => id)
    const move = { item: attribute.id, from: attributes[from - 1]?.id, to: next[to - 1]?.id }
    const save = async () => {
      await orderAttributes(org, object, ids)
      pushUndo({ label: `${attribute.name} moved`, isQuiet: true, undo: () => putBack(attribute.name, move) })
    }
    void save().catch(toastError).then(refresh)
  }
  return { announcement, place }
}
