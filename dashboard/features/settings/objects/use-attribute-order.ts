// The order of an object's attributes: shown immediately, then saved, and reverted with a message when refused.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Attribute } from '../../../shared/api/objects.ts'
import { toastError } from '../../../shared/toast.ts'
import { useOrg } from '../../../shared/use-organization.ts'
import { attributesQuery, orderAttributes } from '../api/attributes.ts'
import { moved } from './option-list.ts'
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
  const place = (attribute: Attribute, to: number) => {
    const from = attributes.findIndex(({ id }) => id === attribute.id)
    const next = moved(attributes, from, to)
    if (next[from]?.id === attribute.id) return
    client.setQueryData(attributesQuery(org, object).queryKey, next)
    setAnnouncement(`${attribute.name} is now at place ${to + 1} of ${next.length}`)
    const ids = next.map(({ id }) => id)
    void orderAttributes(org, object, ids).catch(toastError).then(refresh)
  }
  return { announcement, place }
}
