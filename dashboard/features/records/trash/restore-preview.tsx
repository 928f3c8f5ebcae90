// What returns with a record from the trash, and what cannot.
import { List, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ObjectWithAttributes } from '../../../../contract/objects.ts'
import { attributeWords } from '../../../shared/api/attribute-words.ts'
import { FormError } from '../../../shared/form-error.tsx'
import { useOrg } from '../../../shared/use-organization.ts'
import { restorePreviewQuery } from '../api/trash.ts'

export function RestorePreview({ object, id }: { object: ObjectWithAttributes; id: string }) {
  const { data, error } = useQuery(restorePreviewQuery(useOrg(), object.slug, id))
  if (error) return <FormError error={error} lead="Could not check what returns" />
  if (!data) return <Skeleton height={16} width="70%" role="status" aria-label="Checking what returns" />
  if (data.losses.length === 0)
    return <Text>Its values, references, activities and files return as they were.</Text>
  return (
    <Stack gap="xs">
      <Text>Everything returns, except:</Text>
      <List>
        {data.losses.map((loss) => (
          <List.Item key={`${loss.code} ${loss.attributeSlug} ${loss.otherRecordId ?? loss.activityId}`}>
            {attributeWords(loss, object.attributes)}
          </List.Item>
        ))}
      </List>
    </Stack>
  )
}
