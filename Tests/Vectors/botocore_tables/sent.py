# SPDX-License-Identifier: Apache-2.0
# What the scripts share that look at a client's request and send nothing.


class Stop(Exception):
    pass


def request_of(client, operation, parameters):
    """The request that a client of botocore is about to send."""
    requests = []

    def keep(request, **others):
        requests.append(request)
        raise Stop

    client.meta.events.register("before-send", keep)
    try:
        getattr(client, operation)(**parameters)
    except Stop:
        return requests[0]
