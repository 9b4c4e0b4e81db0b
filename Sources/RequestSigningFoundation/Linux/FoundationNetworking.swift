// SPDX-License-Identifier: Apache-2.0
// URLSession's module on non-Apple platforms, for all files here and for the module's users.

#if canImport(FoundationNetworking)
  @_exported public import FoundationNetworking
#endif
