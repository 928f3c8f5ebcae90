// Renames the attribute of a column.
import { useQueryClient } from '@tanstack/react-query'
import { request } from '../../../shared/api/client.ts'
import type { Attribute } from '../../../shared/api/objects.ts'
import { NameDialog } from '../../../shared/name-dialog.tsx'
import { useOrg } from '../../../shared/use-organization.ts'

export function RenameAttribute({ attribute, onClose }: { attribute: Attribute; onClose(): void }) {
  const org = useOrg()
  const client = useQueryClient()
  const rename = async (name: string) => {
    const params = { objectId: attribute.objectId, attributeId: attribute.id }
    await request('PATCH /objects/:objectId/attributes/:attributeId', { org, params, body: { name } })
    await client.invalidateQueries({ queryKey: [org, 'objects'] })
  }
  return (
    <NameDialog
      title={`Rename ${attribute.name}`}
      name={attribute.name}
      confirm="Rename attribute"
      onConfirm={rename}
      onClose={onClose}
    />
  )
}
