import { expect, test } from 'vitest'
import { nearest } from '../../src/main/host/config/nearest.ts'

test('[cli 1] the nearest word wins, a far one is none', () => {
  const words = ['model.provider', 'model.default', 'ui.theme']
  expect(nearest('modle.provider', words)).toBe('model.provider')
  expect(nearest('MODEL.DEFAULT', words)).toBe('model.default')
  expect(nearest('ui.them', words)).toBe('ui.theme')
  expect(nearest('colour', words)).toBeUndefined()
  expect(nearest('', words)).toBeUndefined()
})
