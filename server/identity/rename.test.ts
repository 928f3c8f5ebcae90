import { expect, test } from 'vitest'
import { sharedTestService } from '../test/shared-service.ts'
import { renameOrganization } from './service.ts'
import { findOrganization } from './store.ts'

const service = await sharedTestService()
const { ctx } = service
const slugOf = (id: string) => `renamed-${id.slice(-12)}`

test('changes the name, the slug or both; keys and pages work with the new slug', async () => {
  const org = await service.org()
  const owner = await org.member('owner')
  const slug = slugOf(org.id)
  expect(await renameOrganization(ctx, org.id, { name: '  Acme Group ' })).toMatchObject({
    name: 'Acme Group',
  })
  expect(await renameOrganization(ctx, org.id, { slug })).toMatchObject({ name: 'Acme Group', slug })
  expect((await org.get('/objects')).status).toBe(200)
  expect((await owner.get('/members')).status).toBe(404)
  expect(await findOrganization(ctx.directory, slug)).toMatchObject({ id: org.id })
})

test('refuses a slug of another organization and an invalid slug', async () => {
  const [one, two] = [await service.org(), await service.org()]
  const slug = slugOf(one.id)
  await renameOrganization(ctx, one.id, { slug })
  await expect(renameOrganization(ctx, two.id, { slug })).rejects.toMatchObject({ code: 'slug_conflict' })
  for (const wrong of ['Acme', '-acme', 'a'.repeat(64), two.id])
    await expect(renameOrganization(ctx, two.id, { slug: wrong })).rejects.toMatchObject({
      details: { errors: [{ path: 'slug', code: 'invalid_slug' }] },
    })
  await expect(renameOrganization(ctx, two.id, { name: ' ' })).rejects.toMatchObject({
    details: { errors: [{ path: 'name' }] },
  })
})
